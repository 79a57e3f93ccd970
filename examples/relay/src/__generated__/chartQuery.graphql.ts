/**
 * @generated SignedSource<<26c82d89111e5b962a5d815b1edc1b9c>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type chartQuery$variables = Record<PropertyKey, never>;
export type chartQuery$data = {
  readonly " $fragmentSpreads": FragmentRefs<"chart_videos">;
};
export type chartQuery = {
  response: chartQuery$data;
  variables: chartQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "kind": "Literal",
    "name": "chart",
    "value": "MOST_POPULAR"
  },
  {
    "kind": "Literal",
    "name": "first",
    "value": 5
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "chartQuery",
    "selections": [
      {
        "args": null,
        "kind": "FragmentSpread",
        "name": "chart_videos"
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "chartQuery",
    "selections": [
      {
        "alias": null,
        "args": (v0/*:: as any*/),
        "concreteType": "VideoConnection",
        "kind": "LinkedField",
        "name": "chartVideos",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "totalCount",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "VideoEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "Video",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "id",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "VideoSnippet",
                    "kind": "LinkedField",
                    "name": "snippet",
                    "plural": false,
                    "selections": [
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "title",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "channelTitle",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "VideoStatistics",
                    "kind": "LinkedField",
                    "name": "statistics",
                    "plural": false,
                    "selections": [
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "viewCount",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "__typename",
                    "storageKey": null
                  }
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "cursor",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "PageInfo",
            "kind": "LinkedField",
            "name": "pageInfo",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "endCursor",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "hasNextPage",
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "storageKey": "chartVideos(chart:\"MOST_POPULAR\",first:5)"
      },
      {
        "alias": null,
        "args": (v0/*:: as any*/),
        "filters": [
          "chart"
        ],
        "handle": "connection",
        "key": "chart_chartVideos",
        "kind": "LinkedHandle",
        "name": "chartVideos"
      }
    ]
  },
  "params": {
    "cacheID": "a42f0e91a2d8f2453fb4f210b05fc126",
    "id": null,
    "metadata": {},
    "name": "chartQuery",
    "operationKind": "query",
    "text": "query chartQuery {\n  ...chart_videos\n}\n\nfragment chart_line on Video {\n  snippet {\n    title\n    channelTitle\n  }\n  statistics {\n    viewCount\n  }\n}\n\nfragment chart_videos on Query {\n  chartVideos(chart: MOST_POPULAR, first: 5) {\n    totalCount\n    edges {\n      node {\n        id\n        ...chart_line\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "1ff7faed350d9fa9707632025b24208a";

export default node;
