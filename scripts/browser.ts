import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { PlainError } from './plain-error';

const INSTALLED = [
  // The headless shell has no windows, so it uses less of the processor.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

const ARGS = [
  // The headless shell would round the advance of each letter to whole pixels, unlike Chromium with windows.
  '--font-render-hinting=none',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  executablePath: string;
  args: string[];
}

/** The Chromium of this machine, if there is one. */
export function findBrowser(): Browser | undefined {
  const executablePath = [chromium.executablePath(), ...INSTALLED].find(existsSync);
  const isRoot = process.getuid?.() === 0;
  return executablePath ? { executablePath, args: isRoot ? ['--no-sandbox', ...ARGS] : ARGS } : undefined;
}

/** The Chromium of this machine. Installs one if necessary: Playwright's own, otherwise the system's package. */
export function ensureBrowser(): Browser {
  const present = findBrowser();
  if (present) return present;
  install('npx', ['--no-install', 'playwright', 'install', 'chromium']);
  const canUseApt = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  if (canUseApt) {
    if (findBrowser()) install('npx', ['--no-install', 'playwright', 'install-deps', 'chromium']);
    else if (install('apt-get', ['update'])) installPackage();
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw new PlainError(
    'No Chromium here, and none could be installed. Install Chromium or Chrome, then try again.',
  );
}

function installPackage(): void {
  // Only newer systems have `chromium-headless-shell`.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (install('apt-get', ['install', '-y', name])) return;
  }
}

function install(command: string, args: string[]): boolean {
  console.log(`Installing Chromium: ${command} ${args.join(' ')}`);
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    shell: process.platform === 'win32',
  });
  return result.status === 0;
}
