"""Questions about the sample documents: which file answers each, and the words that the answer must hold."""

from typing import NamedTuple


class Question(NamedTuple):
    """`file` is a path under resources/samples; `answer` stands in its text word for word."""

    text: str
    file: str
    answer: str
    member: str = ""  # the file within an archive


LEASE = "Contracts/Property/harbour-lease.pdf"
LETTERS = "Contracts/Property/landlord-correspondence.docx"
ACME = "Contracts/Suppliers/supplier-quote-acme.docx"
BRILL = "Contracts/Suppliers/supplier-quote-brill.docx"
MINUTES = "Board/board-minutes-october.md"
SLIDES = "Board/board-slides-october.pptx"
REVENUE = "Finance/revenue-2026-q3.xlsx"
BUDGET = "Finance/budget-2026.xls"
HANDBOOK = "HR/handbook-2026.pdf"
MEMO = "HR/memo-quay-works.txt"
INCIDENT = "Engineering/incident-2026-09-09.html"
PRODUCTS = "Engineering/products.json"
SCHEMA = "Engineering/schema.sql"
DEPLOYMENT = "Engineering/deployment.yaml"
ALERTS = "Engineering/alerts.yml"
REGISTER = "Compliance/gdpr-register.csv"
POLICIES = "Compliance/policies.zip"

ANSWERED = [
    Question("By when must notice to renew the Harbour Street lease be served?", LEASE, "30 September 2027"),
    Question("How must a notice under the lease be delivered?", LEASE, "delivered by hand or by recorded post"),
    Question("What does Brill cost in the first year in all?", SLIDES, "£41,400"),
    Question("On what legal basis does the entrance camera record images?", REGISTER, "Images,Legitimate interests"),
    Question("What rent did the landlord confirm after the review of March 2026?", LETTERS, "£89,880 a year"),
    Question("Why did Saltgate not accept our renewal notice?", LETTERS, "almost six months before the window"),
    Question("What does the turbidity probe cost?", PRODUCTS, '"price": 1180'),
    Question("How many hours of readings does a gateway hold?", SCHEMA, "72 hours of readings"),
    Question("How much notice ends the renewal of the Acme agreement?", ACME, "sixty days"),
    Question("How much notice does Brill want before its quotation renews?", BRILL, "ninety days"),
    Question("When do we learn that a certificate is about to end?", ALERTS, "within 21 days"),
    Question("Which housing supplier did the board choose, and on what condition?", MINUTES, "accept Brill's offer"),
    Question("Why did revenue in the North grow?", REVENUE, "Tarn Valley Water"),
    Question("What rent was assumed in the budget for 2026?", BUDGET, "Rent is taken at £84,000"),
    Question("How many days of holiday do employees have?", HANDBOOK, "26 days of holiday"),
    Question("Where is the fire assembly point during the quay works?", MEMO, "bandstand"),
    Question("How long was the telemetry service down in September?", INCIDENT, "four hours"),
    Question("For how long are job applicants' data kept?", POLICIES, "six months", "data-retention.txt"),
    Question("What is the hotel limit for a night in London?", POLICIES, "165 pounds in London", "travel-policy.txt"),
    Question("How long are database backups kept?", DEPLOYMENT, "keep_days: 35"),
]

UNANSWERED = [
    "What is the recipe for the lemon cake in the staff canteen?",
    "How many votes did the mayor of Port Ellery receive?",
    "Which violin strings are best for a beginner?",
]
