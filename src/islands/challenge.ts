// Sign-up pages: solves the proof-of-work challenge of the form around it while the form is filled in.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { around, find, findAll, wordsIn } from './lib/page'

async function solve(text: string): Promise<string> {
  const challenge = JSON.parse(text)
  const solution = await solveChallenge({ challenge, deriveKey, timeout: 0 })
  return btoa(JSON.stringify({ challenge, solution }))
}

function prepare(field: HTMLElement): void {
  const words = wordsIn(field.dataset, ['working', 'unable'])
  const form = around(field, 'form', HTMLFormElement)
  const input = find(field, 'input', HTMLInputElement)
  const status = find(field, '[role=status]', HTMLElement)
  status.hidden = true
  const show = (text: string) => {
    status.textContent = text
    status.hidden = false
  }
  const solved = solve(field.dataset['challenge'] ?? '').then((answer) => {
    input.value = answer
  })
  solved.catch(() => show(words('unable')))
  let isWaiting = false
  form.addEventListener('submit', (event) => {
    if (input.value !== '') return
    event.preventDefault()
    if (isWaiting) return
    isWaiting = true
    show(words('working'))
    solved.then(
      () => form.submit(),
      () => show(words('unable')),
    )
  })
}

for (const field of findAll(document, '[data-challenge]', HTMLElement)) prepare(field)
