import { Day } from '../components/day'
import { Layout } from '../components/layout'
import { Prose } from '../components/prose'
import { RuleList } from '../components/rule-list'
import type { PageProps, RuleText } from '../site'

export interface DocumentPageProps extends PageProps {
  readonly title: string
  /** Sanitised; null when the operator has written nothing. */
  readonly html: string | null
  readonly updatedAt: Date | null
}

/** A text of the operator: about this server, privacy policy, terms of service. */
export function DocumentPage({ site, viewer, title, html, updatedAt }: DocumentPageProps) {
  return (
    <Layout site={site} viewer={viewer} title={title} width="text">
      <article class="card">
        <h1>{title}</h1>
        {updatedAt !== null && (
          <p class="lead">
            Last changed <Day at={updatedAt} />
          </p>
        )}
        {html === null ? (
          <p class="muted">The operator has not written anything here yet.</p>
        ) : (
          <Prose html={html} />
        )}
      </article>
    </Layout>
  )
}

export interface RulesPageProps extends PageProps {
  readonly rules: readonly RuleText[]
}

export function RulesPage({ site, viewer, rules }: RulesPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Rules" width="text">
      <article class="card">
        <h1>Rules of {site.title}</h1>
        {rules.length === 0 ? (
          <p class="muted">The operator has not written down any rules.</p>
        ) : (
          <RuleList rules={rules} />
        )}
      </article>
    </Layout>
  )
}
