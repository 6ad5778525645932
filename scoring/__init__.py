"""Measuring: language models, contrasts and statistics, figures and the report."""
