import { storedText } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { choiceField } from '../../pages/admin/decide'
import { Button } from '../button'
import { Day } from '../day'
import { fieldId } from '../field'
import { PostForm } from '../form'
import { useTypedText } from '../typed-values'
import { WarnedContent } from '../warned-content'
import { DecisionFields, type DecisionFieldsProps } from './decision-form'
import { visibilityTexts } from './report-words'

/** Post of an account as text, without its files: those of a reported post are on the page of the report. */
export interface ShownPost {
  readonly id: number
  readonly href: string
  readonly text: string
  readonly warning: string | null
  readonly visibility: string
  readonly isSensitive: boolean
  readonly isLocalOnly: boolean
  readonly files: number
  readonly at: Date
}

export interface AccountPostsProps extends Pick<DecisionFieldsProps, 'presets' | 'typed' | 'isLocal'> {
  readonly action: string
  readonly posts: readonly ShownPost[]
}

/** The newest posts of an account, with a form to delete some of them or to mark them as sensitive. */
export function AccountPosts({ action, posts, ...fields }: AccountPostsProps) {
  const t = useTranslation()
  const { errors } = usePage()
  return (
    <section class="block" aria-labelledby="posts">
      <h2 id="posts">{t('common.newestPosts')}</h2>
      <p class="quiet small">{t('admin.accountPosts.publicOnesOthersShown')}</p>
      {posts.length === 0 ? (
        <p class="quiet small">{t('admin.accountPosts.noPublicPostsLately')}</p>
      ) : (
        <PostForm action={action}>
          <ul class="entries">
            {posts.map((post, place) => (
              <li>
                <Post post={post} />
                <Choice post={post} place={place} />
              </li>
            ))}
          </ul>
          <details
            class="confirm"
            open={fields.typed('posts_type') !== '' || errors.fields?.['posts_type'] !== undefined}
          >
            <summary>{t('admin.accountPosts.decideAboutChosenPosts')}…</summary>
            <div class="form">
              <p>
                {fields.isLocal
                  ? t('admin.strikeKeepsEvidenceStands')
                  : t('admin.accountPosts.onlyCopiesServerChange')}
              </p>
              <DecisionFields types={['mark_as_sensitive', 'delete']} prefix="posts_" {...fields} />
              <Button look="danger">{t('admin.accountPosts.apply')}</Button>
            </div>
          </details>
        </PostForm>
      )}
    </section>
  )
}

function Choice({ post: { id, at }, place }: { readonly post: ShownPost; readonly place: number }) {
  const t = useTranslation()
  const name = choiceField(place)
  const isChosen = useTypedText(name, '') === String(id)
  return (
    <div class="choice">
      <input id={fieldId(name)} name={name} type="checkbox" value={String(id)} checked={isChosen} />
      <label for={fieldId(name)}>
        {t.rich('admin.accountPosts.choosePost', {
          hidden: (words) => <span class="hidden">{words}</span>,
          day: () => <Day at={at} withTime />,
        })}
      </label>
    </div>
  )
}

function Post({ post }: { readonly post: ShownPost }) {
  const t = useTranslation()
  const { href, text, warning, visibility, isSensitive, isLocalOnly, files, at } = post
  return (
    <>
      <WarnedContent warning={warning}>
        <p class="quoted" dir="auto">
          {text}
        </p>
      </WarnedContent>
      <p class="quiet small">
        <a href={href} rel="nofollow noopener noreferrer">
          <Day at={at} withTime />
        </a>{' '}
        <span class="tag">{storedText(t, visibilityTexts[visibility], visibility)}</span>
        {isLocalOnly && <span class="tag">{t('common.thisServerOnly')}</span>}
        {isSensitive && <span class="tag">{t('admin.sensitive')}</span>}
        {files > 0 && <span class="tag">{t('admin.files', { count: files })}</span>}
      </p>
    </>
  )
}
