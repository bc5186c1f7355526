for (const root of document.querySelectorAll(".CLASS:not(.live)")) {
  const image = root.querySelector("img"), positions = root.querySelectorAll(".positions label");
  const control = document.createElement("div"), range = document.createElement("input");
  const readout = document.createElement("output"), count = document.createElement("small");
  const show = () => {
    const at = positions[range.value];
    image.src = getComputedStyle(root).getPropertyValue("--picture-" + range.value).trim().slice(5, -2); // within url("")
    image.alt = at.firstElementChild.getAttribute("aria-label");
    range.setAttribute("aria-valuetext", at.title);
    readout.textContent = at.title;
    count.textContent = `${+range.value + 1} of ${positions.length}`;
  };
  range.type = "range";
  range.min = 0;
  range.max = positions.length - 1;
  range.value = root.dataset.start;
  range.setAttribute("aria-label", "position");
  range.addEventListener("input", show);
  range.addEventListener("keydown", (event) => event.stopPropagation()); // the notebook has keys of its own
  image.addEventListener("click", () => range.focus());
  control.className = "control";
  control.append(range, readout, count);
  root.append(control);
  root.classList.add("live");
  show();
}
