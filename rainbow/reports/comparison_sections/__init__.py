"""The sections of the page that compares datasets: each file gives the data of one template."""
