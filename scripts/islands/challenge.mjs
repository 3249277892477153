// Script of the sign-up pages: solves the proof-of-work challenge of the form around it while the form is filled in.
// `npm run assets` bundles it with the solver of altcha-lib into public/assets/challenge.js.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

const working = 'One moment: your browser is solving a small task that keeps robots out.'
const unable =
  'Your browser could not solve the task that keeps robots out. Reload the page, or try another browser.'

async function solve(challenge) {
  const solution = await solveChallenge({ challenge, deriveKey, timeout: 0 })
  return btoa(JSON.stringify({ challenge, solution }))
}

function prepare(field) {
  const form = field.closest('form')
  const input = field.querySelector('input')
  const status = field.querySelector('[role=status]')
  status.hidden = true
  const show = (text) => {
    status.textContent = text
    status.hidden = false
  }
  const solved = solve(JSON.parse(field.dataset.challenge)).then((answer) => {
    input.value = answer
  })
  solved.catch(() => show(unable))
  let isWaiting = false
  form.addEventListener('submit', (event) => {
    if (input.value !== '') return
    event.preventDefault()
    if (isWaiting) return
    isWaiting = true
    show(working)
    solved.then(
      () => form.submit(),
      () => show(unable),
    )
  })
}

for (const field of document.querySelectorAll('[data-challenge]')) prepare(field)
