import type { RuleText } from '../site'

export interface RuleListProps {
  readonly rules: readonly RuleText[]
}

export function RuleList({ rules }: RuleListProps) {
  return (
    <ol class="rules">
      {rules.map((rule) => (
        <li>
          <p dir="auto">{rule.text}</p>
          {rule.hint !== '' && (
            <p class="muted" dir="auto">
              {rule.hint}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
