import type { Scope } from '../../domain/sessions/scopes'
import { groupScopes, type ScopeItem } from '../scope-texts'

export interface ScopeListProps {
  readonly scopes: readonly Scope[]
  /** Level of the group headings, to fit under the heading before the list. */
  readonly heading: 'h2' | 'h4'
}

/** Lists the scopes of an application in plain words, the riskiest first. */
export function ScopeList({ scopes, heading: Heading }: ScopeListProps) {
  return (
    <div class="scopes">
      {groupScopes(scopes).map(({ risk, title, items }) => (
        <section class={`scope-group scope-${risk}`}>
          <Heading class="scope-title">{title}</Heading>
          <ul>
            {items.map((item) => (
              <li>
                <Item {...item} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Item({ text, includes }: ScopeItem) {
  if (includes.length === 0) return <>{text}</>
  return (
    <details>
      <summary>{text}</summary>
      <ul>
        {includes.map((child) => (
          <li>{child}</li>
        ))}
      </ul>
    </details>
  )
}
