"""Shared foundations that depend on no other room.

``arrays``, ``progress``
    What arrays, sources of chance and progress bars are called in signatures.
``files``, ``fingerprint``, ``fetched``
    Files that appear whole or not at all, their hashes, and those that others publish.
``statistics``, ``remembered``
    What was counted on a corpus, and what was computed of a text, kept for the next time.
``workers``, ``ray_tasks``
    Who shares work: processes of this machine, a cluster.
``storage``, ``locks``
    Files in object stores, and who may write where.
``native``, ``notes``
    The door to the compiled kernels, and what was mended in a user's files.
"""
