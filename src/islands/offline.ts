// Page without a connection: drafts that are on this device alone, each sent by a press once the network is back.
import { draftsOf, type LocalDraft } from './lib/local-drafts'
import { clientRoot, find, wordsIn } from './lib/page'
import { fetchPage } from './lib/swap'

const composer = '/publish'
const names = ['sent', 'offline', 'signedOut', 'otherAccount', 'failed'] as const

/** Sends a draft as its account. Returns what became of it. */
async function send(account: string, draft: LocalDraft): Promise<(typeof names)[number]> {
  const opened = await fetchPage(composer)
  if (opened === null) return 'offline'
  const reader = clientRoot(opened.page)
  const token = reader?.dataset['client'] ?? ''
  if (token === '') return 'signedOut'
  if (reader?.dataset['account'] !== account) return 'otherAccount'
  const own = { csrf_token: token, acting_as: account, key: draft.key ?? '', press: 'post' }
  const body = new URLSearchParams({ ...draft.fields, ...own })
  const answer = await fetchPage(composer, { method: 'POST', body })
  if (answer === null) return 'offline'
  if (answer.status === 409) return 'otherAccount'
  return answer.redirectedTo?.includes('/@') === true || answer.redirectedTo?.includes('/scheduled') === true
    ? 'sent'
    : 'failed'
}

function listDrafts(section: HTMLElement): void {
  const account = localStorage.getItem('account') ?? ''
  const word = wordsIn(section.dataset, names)
  const drafts = account === '' ? [] : draftsOf(account, localStorage)
  const { content } = find(section, 'template', HTMLTemplateElement)
  section.hidden = drafts.length === 0
  find(section, 'ul', HTMLUListElement).append(
    ...drafts.map(([key, draft]) => {
      const row = document.importNode(content, true)
      const [text, said] = [find(row, '.entry-account', HTMLElement), find(row, '[role=status]', HTMLElement)]
      const button = find(row, 'button', HTMLButtonElement)
      text.textContent = draft.fields['status'] ?? ''
      button.addEventListener('click', async () => {
        button.disabled = true
        const outcome = await send(account, draft)
        said.textContent = word(outcome)
        if (outcome === 'sent') localStorage.removeItem(key)
        else button.disabled = false
      })
      return row
    }),
  )
}

listDrafts(find(document, '[data-drafts]', HTMLElement))
