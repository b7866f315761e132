"""What scoring costs, beside the tools that people use today: `make bench` writes benchmarks/RESULTS.md."""
