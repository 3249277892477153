// A script that renders: what hono/jsx/dom adds to the bytes of a page is measured with it.
import { render, useState } from 'hono/jsx/dom'

function Counter({ label }: { readonly label: string }) {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {label} {count}
    </button>
  )
}

const root = document.querySelector('[data-counter]')
if (root instanceof HTMLElement) render(<Counter label={root.dataset['counter'] ?? ''} />, root)
