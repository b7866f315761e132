"""Coverage-guided fuzzing of the compiled kernels, under sanitizers: `make fuzz`; no part of the tests."""
