import type { TranslateText } from '../../../lib/translate'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import type { PageError } from '../../error-texts'
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
  const errors: FormErrors<'handle'> = problem === null ? {} : { fields: { handle: [errorOf(problem)] } }
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title={titleOf(t, target)}
      errors={errors}
      intro={<p class="lead">{t('interact.remote.doFromServerWhere')}</p>}
      after={
        <div class="card">
          <h2>{t('interact.remote.accountDomain', { domain: site.domain })}</h2>
          <p>
            {mayJoin
              ? t.rich('interact.remote.signIfHaveOneHere', {
                  in: (words) => <a href={signInUrl}>{words}</a>,
                  up: (words) => <a href={paths.signUp}>{words}</a>,
                })
              : t.rich('interact.remote.signIfHaveOne', {
                  in: (words) => <a href={signInUrl}>{words}</a>,
                })}
          </p>
          <h2>{t('interact.remote.byHand')}</h2>
          <p>{t('interact.remote.searchAddressAppServer')}</p>
          <code class="code-to-copy">
            {target.interaction === 'follow' ? target.author.handle : target.uri}
          </code>
        </div>
      }
    >
      <PostForm action={action} csrfToken={csrfToken}>
        <TextField
          name="handle"
          label={t('interact.remote.yourHandle')}
          hint={t('interact.remote.yourHandle.hint')}
          autocomplete="off"
          inputmode="email"
          value={typed}
          maxlength={500}
          errors={errors.fields?.handle}
        />
        <Button>{t('interact.remote.goServer')}</Button>
      </PostForm>
    </FormPage>
  )
}

function titleOf(t: TranslateText, { interaction, author }: RemoteInteractionPageProps['target']): string {
  const { name } = author
  switch (interaction) {
    case 'follow':
      return t('interact.remote.followName', { name })
    case 'reply':
      return t('interact.remote.replyToName', { name })
    case 'reblog':
      return t('interact.remote.boostPostByName', { name })
    case 'favourite':
      return t('interact.remote.favouritePostByName', { name })
  }
}

function errorOf(problem: RemoteProblem): PageError {
  switch (problem.kind) {
    case 'invalid':
      return 'interact.remote.writeHandleServerName'
    case 'missing':
      return { text: 'interact.remote.domainKnowsNoSuch', values: { domain: problem.domain } }
    case 'unreachable':
      return { text: 'interact.remote.domainCannotReachedMoment', values: { domain: problem.domain } }
  }
}
