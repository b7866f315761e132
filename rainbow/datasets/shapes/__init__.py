"""Tables of other shapes than a row per output, brought into that: what is said of their columns says how."""
