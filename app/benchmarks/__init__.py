"""Published sets that are known by the names of their files: what a folder of each holds. Manifests only, no sentence."""
