"""Reports: self-contained HTML pages made from saved tables.

A report is an ordered list of sections (:data:`rainbow.reports.pages.metrics_page.SECTIONS`). A section is a file in
``sections/`` that reads saved tables and gives the data of the template of its name; a figure is a function in
``figures/``.
"""
