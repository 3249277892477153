import { expect, it } from 'vitest'
import { version } from '../../package.json'
import { softwareVersion } from '../../src/contract/version'

it('prints the version of package.json', () => {
  expect(softwareVersion).toBe(version)
})
