"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    const key = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    button.addEventListener("click", () => {
      const isUp = head.getAttribute("aria-sort") !== "ascending";
      const order = (a, b) =>
        typeof a === "number" && typeof b === "number"
          ? Number(a > b) - Number(a < b)
          : String(a).localeCompare(String(b));
      const rows = Array.from(body.rows).sort((a, b) => (isUp ? 1 : -1) * order(key(a), key(b)));
      body.append(...rows);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    });
  });
}
