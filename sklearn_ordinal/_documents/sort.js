"use strict";
// Each header becomes a button that sorts the first body of its table; averages stay below.
for (const table of document.querySelectorAll("table")) {
  for (const header of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(table, header));
  }
}

function sort(table, header) {
  const sign = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const body = table.tBodies[0];
  const keys = new Map([...body.rows].map((row) => [row, key(row.cells[header.cellIndex])]));
  body.append(...[...body.rows].sort((a, b) => compare(keys.get(a), keys.get(b), sign)));
}

function key(cell) {
  if ("value" in cell.dataset) return Number(cell.dataset.value);
  return cell.textContent === "" ? NaN : cell.textContent;
}

function compare(a, b, sign) {
  // Undefined and blank cells go last in both directions.
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  if (typeof a === "string" || typeof b === "string") {
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  }
  // Subtraction would make NaN of two infinities.
  return sign * ((a > b) - (a < b));
}
