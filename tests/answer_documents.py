"""A few documents of an invented firm, small enough that every answer out of them is known."""

LEASE = """Lease of 14 Harbour Street

1. The annual rent is 84,000 pounds, payable quarterly in advance.
2. Notice to renew must be served between 1 April 2027 and 30 September 2027.
3. Any notice shall be in writing and delivered by hand or by recorded post.
4. The deposit is 21,000 pounds and is held in a separate account.
"""
QUOTES = """Two suppliers quoted for housings. Acme asks 8.40 pounds for each housing and delivers in six weeks.
Brill asks 7.95 pounds for each housing and delivers in nine weeks. Freight is paid by the buyer in both quotes.
"""
REVENUE = "Region,Q1,Q2,Q3\nNorth,423800,439200,462000\nSouth,331000,325400,320000\nEast,201500,214000,228000\n"
PEOPLE = """Contact: Anna Berg, anna.berg@example.org, +44 20 7946 0958.
Anna Berg signs for the tenant. Her company card is 4111 1111 1111 1111 and it expires in 2029.
"""
FILES = {
    "harbour-lease.md": LEASE.encode(),
    "supplier-quotes.txt": QUOTES.encode(),
    "revenue.csv": REVENUE.encode(),
    "people.txt": PEOPLE.encode(),
}
