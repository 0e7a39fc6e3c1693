"""Made-up data and suggestions for the tests of mlpac review: a table of N rows, and a list as mlpac suggest writes it.

    review_data.py FOLDER [SUGGESTIONS]
"""
import csv
import random
import sys
from pathlib import Path

folder, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 300
labels = ["login", "billing", "speed", "export", "mobile"]
draw = random.Random(1)
rows = max(20, count // 3)
folder.mkdir(parents=True, exist_ok=True)
annotated = []
with open(folder / "data.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["ticket", "message", "days", "topics"])
    for row in range(rows):
        known = [label for label in labels if draw.random() < 0.2]
        annotated.append(known)
        message = f"Message {row}, with a comma and <b>marks</b> & \"quotes\""
        table.writerow([f"T{row}", message, draw.randrange(400), "|".join(known)])
pairs = [(row, label) for row in range(rows) for label in labels if label not in annotated[row]]
draw.shuffle(pairs)
with open(folder / "list.csv", "w") as file:
    file.write("rank,row,id,label,probability,policy,critic,agreement\n")
    for rank, (row, label) in enumerate(pairs[:count]):
        p = 0.99 - 0.9 * rank / count
        file.write(f"{rank + 1},{row},T{row},{label},{p:.4f},{p:.4f},{p / 2:.4f},{1 - p / 2:.4f}\n")
print(len(pairs[:count]))
