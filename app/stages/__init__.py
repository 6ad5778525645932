"""The stages: each a function of a workspace, a request and services. What is decided of an option, a setting or a limit is decided
here or below, never in a command."""
