import type { TranslateText } from '../../../lib/translate'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import type { FormPageProps } from '../../site'
import type { AuthorView } from '../../status-view-model'
import type { Interaction } from './interaction'

/** Reason why the visitor was not led on. */
export type RemoteProblem =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'missing' | 'unreachable'; readonly domain: string }

export interface RemoteInteractionPageProps extends FormPageProps {
  readonly action: string
  readonly target: {
    readonly interaction: Interaction
    readonly uri: string
    readonly author: AuthorView
  }
  /** Handle as typed before. */
  readonly typed: string
  readonly problem: RemoteProblem | null
  /** Sign-in that leads to the same on this server. */
  readonly signInUrl: string
  readonly mayJoin: boolean
}

/** Asks visitors for their server, to follow an account or interact with a status from there. */
export function RemoteInteractionPage(props: RemoteInteractionPageProps) {
  const { site, viewer, csrfToken, action, target, typed, problem, signInUrl, mayJoin } = props
  const t = useTranslation()
  const errors: FormErrors<'handle'> =
    problem === null ? {} : { fields: { handle: [problemText(t, problem)] } }
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title={titleOf(t, target)}
      errors={errors}
      intro={
        <p class="lead">
          {t(
            'You do this from the server where your account is. Nothing is shared before you confirm it there.',
          )}
        </p>
      }
      after={
        <div class="card">
          <h2>{t('An account on {domain}', { domain: site.domain })}</h2>
          <p>
            {mayJoin
              ? t.rich('<in>Sign in</in> if you have one here, or <up>sign up</up>.', {
                  in: (words) => <a href={signInUrl}>{words}</a>,
                  up: (words) => <a href={paths.signUp}>{words}</a>,
                })
              : t.rich('<in>Sign in</in> if you have one here.', {
                  in: (words) => <a href={signInUrl}>{words}</a>,
                })}
          </p>
          <h2>{t('By hand')}</h2>
          <p>{t('Search for this address in your app or on your server:')}</p>
          <code class="code-to-copy">
            {target.interaction === 'follow' ? target.author.handle : target.uri}
          </code>
        </div>
      }
    >
      <PostForm action={action} csrfToken={csrfToken}>
        <TextField
          name="handle"
          label={t('Your handle')}
          hint={t('As in ada@mastodon.social. The name of your server is enough.')}
          autocomplete="off"
          inputmode="email"
          value={typed}
          maxlength={500}
          errors={errors.fields?.handle}
        />
        <Button>{t('Go on at your server')}</Button>
      </PostForm>
    </FormPage>
  )
}

function titleOf(t: TranslateText, { interaction, author }: RemoteInteractionPageProps['target']): string {
  const { name } = author
  switch (interaction) {
    case 'follow':
      return t('Follow {name}', { name })
    case 'reply':
      return t('Reply to {name}', { name })
    case 'reblog':
      return t('Boost a post by {name}', { name })
    case 'favourite':
      return t('Favourite a post by {name}', { name })
  }
}

function problemText(t: TranslateText, problem: RemoteProblem): string {
  switch (problem.kind) {
    case 'invalid':
      return t('Write your handle with its server, as in name@server.')
    case 'missing':
      return t(
        '{domain} knows no such account, or opens no addresses of other servers. Search for the address below there.',
        { domain: problem.domain },
      )
    case 'unreachable':
      return t('{domain} cannot be reached at the moment.', { domain: problem.domain })
  }
}
