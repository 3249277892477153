import type { TextKey } from '../../../lib/translate'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { TextAreaField, TextField } from '../../components/field'
import { ErrorSummary, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { authorizeInteractionPath, paths } from '../../paths'
import { type Introduced, IntroducedLine } from '../../people/people-list'
import { Post } from '../../posts/post'
import type { PostView } from '../../posts/post-view'
import type { Interaction } from './interaction'

/** Result of opening an address. */
export type InteractionSubject =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'account'
      readonly id: string
      readonly person: Introduced
      readonly state: 'none' | 'requested' | 'following' | 'self'
      readonly isLocked: boolean
    }
  | {
      readonly kind: 'status'
      readonly id: string
      readonly post: PostView
      /** Interaction that the viewer came for. */
      readonly asked: Interaction
      readonly isFavourited: boolean
      readonly isReblogged: boolean
      readonly mayReblog: boolean
      /** Beginning of a reply. */
      readonly mention: string
    }

export interface AuthorizeInteractionPageProps {
  readonly uri: string
  /** Null where no address was given. */
  readonly subject: InteractionSubject | null
  /** Reply as typed before. */
  readonly text: string
}

/** An account or status of any server, with what the viewer can do with it. */
export function AuthorizeInteractionPage(props: AuthorizeInteractionPageProps) {
  const t = useTranslation()
  const { message: notice } = usePage()
  const { subject } = props
  return (
    <Layout title={t('interact.openAnAddress')} heading={t(headingOf(subject))} isPrivate>
      {notice !== null && (
        <Banner kind="success">
          <p>{t(notice)}</p>
        </Banner>
      )}
      <ErrorSummary />
      {subject?.kind === 'account' && <FoundAccount {...props} subject={subject} />}
      {subject?.kind === 'status' && <FoundStatus {...props} subject={subject} />}
      {(subject === null || subject.kind === 'missing') && <AddressForm {...props} />}
    </Layout>
  )
}

function headingOf(subject: InteractionSubject | null): TextKey {
  switch (subject?.kind) {
    case 'account':
      return 'interact.followFromHere'
    case 'status':
      return 'interact.answerFromHere'
    case 'missing':
      return 'interact.nothingFound'
    case undefined:
      return 'interact.openAnAddress'
  }
}

type Subject<Kind> = AuthorizeInteractionPageProps & {
  readonly subject: Extract<InteractionSubject, { kind: Kind }>
}

function FoundAccount({ uri, subject }: Subject<'account'>) {
  const t = useTranslation()
  const { id, person, state, isLocked } = subject
  return (
    <section class="block" aria-label={t('field.account')}>
      <div class="person">
        <IntroducedLine {...person} />
      </div>
      {state === 'self' && <p class="quiet small">{t('interact.thisIsYou')}</p>}
      {state === 'following' && <p class="quiet small">{t('interact.followAccount')}</p>}
      {state === 'requested' && <p class="quiet small">{t('interact.haveAskedFollowAccount')}</p>}
      {state === 'none' && (
        <PostForm action={actionOf('follow', uri)} hidden={{ uri, id }}>
          {isLocked && <p class="quiet small">{t('interact.accountApprovesFollowers')}</p>}
          <Button>{t('common.follow')}</Button>
        </PostForm>
      )}
    </section>
  )
}

function FoundStatus({ uri, text, subject }: Subject<'status'>) {
  const t = useTranslation()
  const { id, post, asked, isFavourited, isReblogged, mayReblog, mention } = subject
  const hidden = { uri, id }
  return (
    <>
      <div class="unpadded">
        <Post post={post} hasButtons={false} />
      </div>
      <div class="actions">
        {!isReblogged && mayReblog && (
          <PostForm action={actionOf('reblog', uri)} hidden={hidden} class="inline">
            <Button look={asked === 'reblog' ? 'primary' : 'secondary'}>{t('common.boost')}</Button>
          </PostForm>
        )}
        {!isFavourited && (
          <PostForm action={actionOf('favourite', uri)} hidden={hidden} class="inline">
            <Button look={asked === 'favourite' ? 'primary' : 'secondary'}>{t('common.favourite')}</Button>
          </PostForm>
        )}
      </div>
      <section class="block" aria-labelledby="reply">
        <h2 id="reply">{t('common.reply')}</h2>
        <PostForm action={actionOf('reply', uri)} hidden={hidden}>
          <TextAreaField
            name="text"
            label={t('interact.yourReply')}
            value={text === '' ? mention : text}
            rows={5}
            maxlength={10_000}
          />
          <Button look={asked === 'reply' ? 'primary' : 'secondary'}>{t('interact.postTheReply')}</Button>
        </PostForm>
      </section>
    </>
  )
}

function AddressForm({ uri, subject }: AuthorizeInteractionPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-label={t('field.address')}>
      {subject !== null && <p>{t('interact.thereNoAccountPost')}</p>}
      <PostForm action={paths.authorizeInteraction}>
        <TextField
          name="uri"
          label={t('interact.handleOrAddress')}
          hint={t('interact.handleOrAddress.hint')}
          autocomplete="off"
          value={uri}
          maxlength={2_048}
        />
        <Button>{t('interact.open')}</Button>
      </PostForm>
    </section>
  )
}

/** The address stays in that of the form: a refused one is shown again with what it is about. */
function actionOf(interaction: Interaction, uri: string): string {
  return authorizeInteractionPath(uri, null, `/${interaction}`)
}
