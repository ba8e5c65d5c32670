"""The little words of English, which stand everywhere and so tell nothing of what a text is about."""

_LITTLE = """
a about all also am an and any are as at be been but by can could did do does doing for from had has have having he
her here him his how i if in into is it its just me more most my no nor not of on once only or our out over own same
she should so some such than that the their them then there these they this those to too under until up very was we
were what when where which while who whom why will with would you your
"""
_OF_REQUESTS = """
before being compare describe explain gave get give happen happened let list many may mean means might much must off
other please said say says shall show summarise summarize tell us whose
"""
STOP_WORDS = frozenset(_LITTLE.split())
IDLE_WORDS = STOP_WORDS | frozenset(_OF_REQUESTS.split())
"""With the words that requests are made of: a search may look for them, but they tell no sentence from another."""
