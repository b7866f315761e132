"""Scores as other packages call for them: one file a package, which is imported only where it is used.

Trainers take a :class:`rainbow.serving.Reward`, programs that evaluate a :class:`rainbow.serving.RowScorer`: both say
which column holds references or meaning representations. An adapter says what the columns are called there.
docs/serving.md has an example for each, which is run where the package is installed.
"""
