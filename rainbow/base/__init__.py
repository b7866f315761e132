"""What every room stands on, and what knows no other room.

``arrays``, ``progress``
    What arrays, sources of chance and progress bars are called in signatures.
``files``, ``fingerprint``, ``fetched``
    Files that appear whole or not at all, their hashes, and those that others publish.
``statistics``, ``remembered``
    What was counted on a corpus, and what was computed of a text, kept for the next time.
``workers``, ``native``, ``notes``
    Processes, the door to the compiled kernels, and what was mended in a user's files.
"""
