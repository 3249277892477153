import type { Child } from 'hono/jsx'

export interface TableProps {
  /** Name of the list, for screen readers. */
  readonly label: string
  readonly columns: readonly string[]
  /** Rows of cells; the first cell of a row is its heading. */
  readonly children: Child
}

/** A list of the administration as a table, which scrolls sideways in its own box. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <section class="table-scroll" aria-label={label} tabindex={0}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
