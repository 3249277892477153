import { Button } from '../components/button'
import { FormPage } from '../components/form-page'
import { paths } from '../paths'
import type { PageProps } from '../site'

export interface UnsubscribePageProps extends PageProps {
  /** Who is mailed (`@name@host`) and about what; null where the link is none of ours. */
  readonly mails: { readonly handle: string; readonly topic: string } | null
  /** Where the button leads; null once it was pressed. */
  readonly action: string | null
}

/** Whoever follows the link in a mail decides here: programs that look at links must not unsubscribe anybody. */
export function UnsubscribePage(props: UnsubscribePageProps) {
  const { site, viewer, mails, action } = props
  const title =
    mails === null ? 'This link stops nothing' : action === null ? 'Unsubscribed' : 'Stop these mails?'
  const after = (
    <p class="aside">
      <a href={paths.mailSettings}>Choose what you are mailed about</a>
    </p>
  )
  return (
    <FormPage site={site} viewer={viewer} title={title} errors={{}} after={after}>
      <Content mails={mails} action={action} />
    </FormPage>
  )
}

function Content({ mails, action }: Pick<UnsubscribePageProps, 'mails' | 'action'>) {
  if (mails === null) return <p>It is incomplete, or the account it is for is gone.</p>
  const { handle, topic } = mails
  if (action === null)
    return (
      <p>
        <bdi>{handle}</bdi> is no longer mailed about {topic}.
      </p>
    )
  return (
    <>
      <p>
        <bdi>{handle}</bdi> is mailed about {topic}. The notifications themselves stay.
      </p>
      {/* The address is what permits it: mail programs post here too, without a session or a token of ours. */}
      <form method="post" action={action} class="form">
        <Button>Stop these mails</Button>
      </form>
    </>
  )
}
