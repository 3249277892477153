import { Layout } from '../../components/layout'
import type { PageProps } from '../../site'

export interface CodePageProps extends PageProps {
  readonly code: string
  readonly applicationName: string
}

/** For applications without an address to return to: the person carries the code over. */
export function CodePage({ site, viewer, code, applicationName }: CodePageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Authorisation code" width="narrow" isPrivate>
      <div class="card">
        <h1>Copy this code</h1>
        <p>
          Paste it into <strong>{applicationName}</strong> within ten minutes.
        </p>
        <p>
          <code class="code-to-copy">{code}</code>
        </p>
        <p class="muted">Give it to nobody else: whoever has it can use your account.</p>
      </div>
    </Layout>
  )
}
