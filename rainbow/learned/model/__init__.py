"""A learned metric as one file: what it holds, how it is checked, and the models that come with the package."""
