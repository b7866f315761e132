"""The measures of Belz and Reiter (2006): whole systems by four metrics, tests of their differences, and raters."""
