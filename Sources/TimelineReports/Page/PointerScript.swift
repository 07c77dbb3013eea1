/// A line under the pointer with its time, for those who let scripts run; nothing else needs one.
enum PointerScript {
  static let text = """
    <script>
    (() => {
      const chart = document.querySelector('.chart'), plot = chart.querySelector('.axis');
      const line = chart.appendChild(document.createElement('div')), label = document.createElement('span');
      const from = +chart.dataset.from, length = +chart.dataset.to - from;
      line.className = 'cursor'; line.hidden = true; line.append(label);
      chart.addEventListener('pointerleave', () => line.hidden = true);
      chart.addEventListener('pointermove', event => {
        const area = plot.getBoundingClientRect(), share = (event.clientX - area.left) / area.width;
        if (line.hidden = !(share >= 0 && share <= 1)) return;
        const time = from + share * length;
        line.style.left = event.clientX - chart.getBoundingClientRect().left + 'px';
        line.classList.toggle('left', share > .8);
        label.textContent = length < 1 ? (time * 1e3).toFixed(length < .1 ? 2 : 1) + ' ms' : time.toFixed(3) + ' s';
      });
    })();
    </script>
    """
}
