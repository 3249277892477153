// Makes a set-up secret in the browser, below the command that makes one in a terminal. Nothing is sent anywhere.

const command = [...document.querySelectorAll('pre')].find(({ textContent }) =>
  textContent.includes('openssl rand'),
)
if (command !== undefined) offer(command)

function offer(place) {
  const [line, button, secret] = ['p', 'button', 'output'].map((name) => document.createElement(name))
  button.type = 'button'
  button.textContent = 'Make a secret in this browser'
  secret.className = 'secret'
  button.addEventListener('click', () => {
    const bytes = crypto.getRandomValues(new Uint8Array(33))
    secret.textContent = btoa(String.fromCharCode(...bytes))
    getSelection().selectAllChildren(secret)
  })
  line.append(button, ' ', secret)
  place.after(line)
}
