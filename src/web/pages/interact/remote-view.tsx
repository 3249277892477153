import type { TranslateText } from '../../../lib/translate'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import type { PageError } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import type { AuthorView } from '../../status-view-model'
import type { Interaction } from './interaction'

/** Reason why the visitor was not led on. */
export type RemoteProblem =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'missing' | 'unreachable'; readonly domain: string }

export interface RemoteInteractionPageProps {
  readonly action: string
  readonly target: {
    readonly interaction: Interaction
    readonly uri: string
    readonly author: AuthorView
  }
  /** Handle as typed before. */
  readonly typed: string
  /** Sign-in that leads to the same on this server. */
  readonly signInUrl: string
  readonly mayJoin: boolean
}

/** Asks visitors for their server, to follow an account or interact with a status from there. */
export function RemoteInteractionPage(props: RemoteInteractionPageProps) {
  const { action, target, typed, signInUrl, mayJoin } = props
  const t = useTranslation()
  const { site } = usePage()
  return (
    <FormPage
      title={titleOf(t, target)}
      intro={<p class="quiet">{t('interact.remote.doFromServerWhere')}</p>}
      after={
        <div class="block">
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
      <PostForm action={action}>
        <TextField
          name="handle"
          label={t('interact.remote.yourHandle')}
          hint={t('interact.remote.yourHandle.hint')}
          autocomplete="off"
          inputmode="email"
          value={typed}
          maxlength={500}
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

/** Sentence about it beside the field of the handle. */
export function errorOf(problem: RemoteProblem): PageError {
  switch (problem.kind) {
    case 'invalid':
      return 'interact.remote.writeHandleServerName'
    case 'missing':
      return { text: 'interact.remote.domainKnowsNoSuch', values: { domain: problem.domain } }
    case 'unreachable':
      return { text: 'interact.remote.domainCannotReachedMoment', values: { domain: problem.domain } }
  }
}
