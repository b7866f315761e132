"""Third-party programs and models: Java programs, parsers, networks and WordNet."""
