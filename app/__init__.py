"""The application: command line, settings, workspace, studies, demo, doctor."""
