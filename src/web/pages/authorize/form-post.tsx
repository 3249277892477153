import { Button } from '../../components/button'
import { Layout } from '../../components/layout'
import type { PageProps } from '../../site'

export interface FormPostPageProps extends PageProps {
  /** The address of the application. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly applicationName: string
}

/** Carries the answer to applications that want it as a form: without scripts the person sends it on. */
export function FormPostPage({ site, viewer, action, fields, applicationName }: FormPostPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Back to the app" width="narrow" isPrivate>
      <div class="card">
        <h1>
          Back to <bdi>{applicationName}</bdi>
        </h1>
        <form method="post" action={action} class="form">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <Button>Continue</Button>
        </form>
      </div>
    </Layout>
  )
}
