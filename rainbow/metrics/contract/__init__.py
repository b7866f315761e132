"""The metric interface, the prepared texts and the metric registry."""
