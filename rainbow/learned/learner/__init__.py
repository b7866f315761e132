"""What learns: kernels, forests, ranks; plain arrays once they have learned."""
