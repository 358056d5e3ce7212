import type { MetadataRoute } from 'next';
import { PRODUCT } from '@/components/brand/product';

export default function manifest(): MetadataRoute.Manifest {
  return {
    name: PRODUCT,
    short_name: PRODUCT,
    description: 'Changes in Notion become cards in Discord, and cards become actions.',
    start_url: '/?mode=app',
    display: 'standalone',
    background_color: '#fcfbf9',
    theme_color: '#fcfbf9',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    ],
  };
}
