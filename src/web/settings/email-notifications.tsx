import { mailsPerHour } from '../../domain/notifications/mail-claims'
import { Banner } from '../components/banner'
import { Button } from '../components/button'
import { CheckboxField } from '../components/field'
import { PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export interface MailChoice {
  readonly field: string
  readonly label: string
  readonly isChosen: boolean
}

export interface EmailNotificationsPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly email: string
  /** Does the server send mail at all? */
  readonly isSent: boolean
  readonly choices: readonly MailChoice[]
  /** What only those who look after the server are told. */
  readonly staffChoices: readonly MailChoice[]
  readonly always: MailChoice
}

/** What somebody is mailed about. */
export function EmailNotificationsPage(props: EmailNotificationsPageProps) {
  const { site, viewer, csrfToken, isSent, email, choices, staffChoices, always } = props
  return (
    <Layout site={site} viewer={viewer} title="E-mail notifications" width="text" isPrivate>
      <h1>E-mail notifications</h1>
      {!isSent && (
        <Banner kind="info" title="This server sends no mail">
          <p>You find everything in your app all the same. What you choose here counts once it does.</p>
        </Banner>
      )}
      <PostForm action={paths.mailSettings} csrfToken={csrfToken}>
        <section class="card" aria-labelledby="about">
          <h2 id="about">Send me a mail when</h2>
          <Choices choices={choices} />
          <p class="muted">
            To {email}, at most {mailsPerHour} an hour. Every mail has a link that stops its kind.
          </p>
        </section>
        {staffChoices.length > 0 && (
          <section class="card" aria-labelledby="staff">
            <h2 id="staff">As I look after this server, also when</h2>
            <Choices choices={staffChoices} />
          </section>
        )}
        <section class="card" aria-labelledby="time">
          <h2 id="time">While I am here</h2>
          <Choices choices={[always]} />
          <p class="muted">Otherwise nothing is sent while you use an app, or about what you have read.</p>
        </section>
        <div class="actions">
          <Button>Save</Button>
        </div>
      </PostForm>
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

function Choices({ choices }: { readonly choices: readonly MailChoice[] }) {
  return (
    <>
      {choices.map(({ field, label, isChosen }) => (
        <CheckboxField name={field} label={label} isChecked={isChosen} isOptional />
      ))}
    </>
  )
}
