#!/usr/bin/env python3
"""Makes tickets.csv and new.csv: invented support tickets. A ticket has one to three topics; in tickets.csv whoever sorted
them marked only some, and now and then noted that a topic does not apply (!topic)."""
import csv
import random

TOPICS = {
    "billing": ["the invoice shows the wrong amount", "I was charged twice this month", "please refund my last payment",
                "my credit card was declined at checkout", "where do I find the receipt"],
    "login": ["I cannot sign in any more", "the password reset mail never arrives", "my account is locked",
              "two factor codes are rejected", "the login page keeps asking for my password"],
    "crash": ["the app closes as soon as I open a file", "it crashes on start", "a white screen and then nothing",
              "an error dialog appears and the program quits", "it freezes and must be killed"],
    "export": ["the PDF export is empty", "exported tables lose their columns", "I need the data as a spreadsheet",
               "the download stops at half", "printing cuts off the right margin"],
    "speed": ["everything has become very slow", "loading takes more than a minute", "typing lags behind",
              "the search spins forever", "it uses all of my memory"],
    "request": ["could you add a dark theme", "it would be great to have keyboard shortcuts", "please support two windows",
                "a calendar view would help us", "an option to sort by date is missing"],
}
TOGETHER = {"crash": "speed", "billing": "login", "export": "crash"}
OPENINGS = ["Hello,", "Hi team,", "Good morning,", "Dear support,", "Since yesterday:", "Once more:"]
CLOSINGS = ["Thanks!", "Please help.", "This is urgent.", "Kind regards", "We are a team of five.", ""]


def ticket(rng):
    topics = {rng.choice(list(TOPICS))}
    for topic in list(topics):
        if topic in TOGETHER and rng.random() < 0.5:
            topics.add(TOGETHER[topic])
    if rng.random() < 0.25:
        topics.add(rng.choice(list(TOPICS)))
    sentences = [rng.choice(TOPICS[topic]) for topic in sorted(topics)]
    rng.shuffle(sentences)
    text = f"{rng.choice(OPENINGS)} {', and '.join(sentences)}. {rng.choice(CLOSINGS)}".strip()
    plan = rng.choices(["free", "team", "business"], [6, 3, 1])[0]
    days = "" if rng.random() < 0.05 else str(int(rng.expovariate(1 / 200)))
    return topics, [text, plan, days]


def main():
    rng = random.Random(4)
    with open("tickets.csv", "w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["ticket", "message", "plan", "days", "topics"])
        for i in range(600):
            topics, fields = ticket(rng)
            marked = [topic for topic in sorted(topics) if rng.random() < 0.5]
            if rng.random() < 0.1:
                marked += ["!" + rng.choice([topic for topic in TOPICS if topic not in topics])]
            table.writerow([f"T{1000 + i}", *fields, ";".join(marked)])
    with open("new.csv", "w", newline="") as out, open("complete.csv", "w", newline="") as full:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["ticket", "message", "plan", "days"])
        labelled = csv.writer(full, lineterminator="\n")
        labelled.writerow(["ticket", "message", "plan", "days", "topics"])
        for i in range(200):
            topics, fields = ticket(rng)
            table.writerow([f"N{i}", *fields])
            labelled.writerow([f"N{i}", *fields, ";".join(sorted(topics))])


main()
