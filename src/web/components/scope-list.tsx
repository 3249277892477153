import type { Scope } from '../../domain/sessions/scopes'
import { useTranslation } from '../i18n/context'
import { groupScopes, type ScopeItem } from '../scope-texts'

export interface ScopeListProps {
  readonly scopes: readonly Scope[]
  /** Level of the group headings, to fit under the heading before the list. */
  readonly heading: 'h2' | 'h4'
}

/** Lists the scopes of an application in plain words, the riskiest first. */
export function ScopeList({ scopes, heading: Heading }: ScopeListProps) {
  const t = useTranslation()
  return (
    <div class="scopes">
      {groupScopes(scopes).map(({ risk, title, items }) => (
        <section class={`scope-group scope-${risk}`}>
          <Heading class="scope-title">{t(title)}</Heading>
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
  const t = useTranslation()
  if (includes.length === 0) return <>{t(text)}</>
  return (
    <details>
      <summary>{t(text)}</summary>
      <ul>
        {includes.map((child) => (
          <li>{t(child)}</li>
        ))}
      </ul>
    </details>
  )
}
