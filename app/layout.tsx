import './globals.css';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import { ThemeProvider } from 'next-themes';
import type { ReactNode } from 'react';
import { PRODUCT } from '@/components/brand/product';
import { ErrorReports } from '@/components/start/error-reports';
import { env } from '@/lib/env';

// Few pages use this font, so only they load it: the package's own loader would make every page wait for its 70 kB.
const GeistMono = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
});

export async function generateMetadata(): Promise<Metadata> {
  await connection();
  return {
    metadataBase: new URL(env().APP_URL),
    title: { default: PRODUCT, template: `%s · ${PRODUCT}` },
    description:
      'Pagewire links a Discord server to a Notion workspace: changes become cards, cards become actions.',
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fcfbf9' },
    { media: '(prefers-color-scheme: dark)', color: '#13110e' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const { ENVIRONMENT, SENTRY_DSN } = env();
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <body>
        <ErrorReports to={SENTRY_DSN ? { dsn: SENTRY_DSN, environment: ENVIRONMENT } : null} />
        <ThemeProvider
          attribute="class"
          defaultTheme="system"
          disableTransitionOnChange
          // The style sheet sets it, for screens only.
          enableColorScheme={false}
          nonce={nonce}
        >
          {children}
        </ThemeProvider>
      </body>
    </html>
  );
}
