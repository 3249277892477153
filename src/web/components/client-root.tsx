import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { IslandScript } from './island-script'

/** The script of a member's pages where the page allows it, with the words it says and the token that its calls of the API prove themselves by. */
export function ClientRoot() {
  const t = useTranslation()
  const { csrfToken, script, viewer } = usePage()
  if (script !== 'client.js') return null
  const words = {
    undo: t('client.undo'),
    boosted: t('client.boosted'),
    deleted: t('client.postDeleted'),
    deletedByAuthor: t('client.deletedByItsAuthor'),
    failed: t('client.failed'),
    offline: t('client.noConnection'),
    gone: t('client.postIsGone'),
    forbidden: t('client.notAllowed'),
    tooMany: t('client.tooManyRequests'),
    tooLarge: t('form.whatChoseTooLarge'),
    signedOut: t('client.signedOut'),
    newPosts: t('client.newPosts'),
    restored: t('client.restored'),
    copied: t('client.linkCopied'),
    charactersLeft: t('client.charactersLeft'),
    suggestions: t('client.suggestions'),
    sending: t('client.sending'),
    sent: t('client.postSent'),
    otherAccount: t('accounts.anotherIsActive'),
    reload: t('accounts.reload'),
  }
  return (
    <>
      <div
        class="toasts"
        role="status"
        data-client={csrfToken ?? ''}
        data-account={viewer?.acct}
        data-words={JSON.stringify(words)}
      />
      <IslandScript name={script} />
    </>
  )
}
