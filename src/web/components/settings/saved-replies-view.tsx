import { type SavedReply, savedReplyLimits } from '../../../domain/drafts/saved-replies'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { Button } from '../button'
import { TextAreaField, TextField } from '../field'
import { PostForm } from '../form'
import { SettingsLayout } from '../settings-layout'

/** Page with all saved replies and the form that adds one. */
export function SavedRepliesPage({ replies }: { readonly replies: readonly SavedReply[] }) {
  const t = useTranslation()
  const { errors } = usePage()
  const max = savedReplyLimits.perAccount
  return (
    <SettingsLayout title={t('settings.savedReplies.savedReplies')}>
      <p class="quiet">{t('settings.savedReplies.intro', { max })}</p>
      {replies.length < max && (
        <details class="block" open={replies.length === 0 || hasErrors(errors)}>
          <summary>
            <h2>{t('settings.savedReplies.add')}</h2>
          </summary>
          <PostForm action={paths.savedReplies}>
            <Fields name="" text="" />
            <Button>{t('settings.add')}</Button>
          </PostForm>
        </details>
      )}
      {replies.length > 0 && (
        <section class="block" aria-label={t('settings.savedReplies.yours')}>
          <ul class="entries">
            {replies.map(({ id, name, text }) => (
              <li class="entry-line">
                <div>
                  <h2>
                    <bdi>{name}</bdi>
                  </h2>
                  <p class="quiet" dir="auto">
                    {text}
                  </p>
                </div>
                <a class="button" href={`${paths.savedReplies}?id=${id}`}>
                  {t('common.change')}
                  <span class="hidden"> {name}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </SettingsLayout>
  )
}

/** Page that changes or deletes a saved reply. */
export function SavedReplyPage({ reply: { id, name, text } }: { readonly reply: SavedReply }) {
  const t = useTranslation()
  const path = `${paths.savedReplies}/${id}`
  return (
    <SettingsLayout title={t('settings.savedReplies.savedReplies')} heading={name}>
      <section class="block" aria-label={name}>
        <PostForm action={path}>
          <Fields name={name} text={text} />
          <Button>{t('common.save')}</Button>
        </PostForm>
        <details class="confirm">
          <summary>{t('settings.savedReplies.deleteIt')}</summary>
          <PostForm action={`${path}/delete`}>
            <p>{t('settings.savedReplies.postsStay')}</p>
            <Button look="danger">{t('settings.savedReplies.delete')}</Button>
          </PostForm>
        </details>
      </section>
      <p>
        <a href={paths.savedReplies}>{t('settings.savedReplies.all')}</a>
      </p>
    </SettingsLayout>
  )
}

function Fields({ name, text }: Pick<SavedReply, 'name' | 'text'>) {
  const t = useTranslation()
  return (
    <>
      <TextField
        name="name"
        label={t('field.name')}
        value={name}
        autocomplete="off"
        maxlength={savedReplyLimits.nameCharacters}
        isProse
      />
      <TextAreaField
        name="text"
        label={t('field.text')}
        value={text}
        rows={4}
        maxlength={savedReplyLimits.textCharacters}
      />
    </>
  )
}
