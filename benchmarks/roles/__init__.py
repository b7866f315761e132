"""The network that reads columns: labelled and invented tables, its training, and how often its readings are right.

python -m benchmarks.roles fit         train on all tables and write rainbow/datasets/roles/network.json
python -m benchmarks.roles evaluate    leave tables out in turn, and measure
python -m benchmarks.roles batch FILE  read the tables of a file that nothing was learned from
"""
