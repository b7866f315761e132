"""The plan of the house holds: docs/architecture.md says in which order folders may import one another."""
