"""What can be taken away from the page: a spreadsheet, a handout, a slide, data; and how it is read back.

Each maker takes a Comparison and the words for it, and returns the bytes of a file. The same scenario gives the same
bytes. The libraries that write files are loaded by the makers that need them, never by importing these modules.
"""
