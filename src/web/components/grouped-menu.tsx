export interface MenuGroup {
  readonly heading: string
  readonly entries: readonly { readonly path: string; readonly label: string }[]
}

export interface GroupedMenuProps {
  /** Name of the menu. */
  readonly label: string
  /** Title of the page, for those who do not see it beside the menu. */
  readonly title: string
  readonly groups: readonly MenuGroup[]
  /** Path of the entry that is marked. */
  readonly current: string
}

/** Links under headings, beside a page or folded above it on phones. */
export function GroupedMenu({ label, title, groups, current }: GroupedMenuProps) {
  return (
    <details class="settings-menu">
      <summary class="settings-toggle">
        {label}
        <span class="visually-hidden">: {title}</span>
      </summary>
      <nav class="settings-nav" aria-label={label}>
        {groups.map(({ heading, entries }) => (
          <div class="settings-group">
            <p class="settings-heading">{heading}</p>
            <ul class="settings-links">
              {entries.map((entry) => (
                <li>
                  <a href={entry.path} aria-current={entry.path === current ? 'page' : undefined}>
                    {entry.label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </details>
  )
}
